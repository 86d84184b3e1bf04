/** Where everything listens, on 127.0.0.1. */
export const ports = {
  latchkey: 8801,
  bare: 8802,
  nginx: 8803,
  portkey: 8804,
  upstream: 8805,
  tokens: 8806,
  tags: 8807,
  postgres: 8808,
};

export const upstreamUrl = `http://127.0.0.1:${ports.upstream}`;
