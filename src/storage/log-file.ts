/** Name of the file in the data directory in which the embedded database keeps the gateway's logs. */
export const LOG_FILE = 'gateway-logs.db';
