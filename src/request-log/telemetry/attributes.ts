/** An attribute of a span in the JSON encoding of OTLP. */
export interface Attribute {
  key: string;
  value: AttributeValue;
}

type AttributeValue =
  | { stringValue: string }
  /** 64 bits as a text (OTLP specification, "JSON Protobuf Encoding"). */
  | { intValue: string }
  | { doubleValue: number }
  | { boolValue: boolean };

/** Collects attributes, and omits unknown values. */
export class Attributes {
  readonly list: Attribute[] = [];

  text(key: string, value: string | null | undefined): this {
    if (value !== null && value !== undefined && value !== '') {
      this.list.push({ key, value: { stringValue: value } });
    }
    return this;
  }

  integer(key: string, value: number | null | undefined): this {
    if (value !== null && value !== undefined) {
      this.list.push({ key, value: { intValue: String(Math.trunc(value)) } });
    }
    return this;
  }

  number(key: string, value: number | null | undefined): this {
    if (value !== null && value !== undefined)
      this.list.push({ key, value: { doubleValue: value } });
    return this;
  }

  flag(key: string, value: boolean): this {
    this.list.push({ key, value: { boolValue: value } });
    return this;
  }
}
