// JSON with every digit: a whole number that JavaScript's own can't hold stays its digits.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG = /\d{16}/;
const MARK = "\0";
const MARKED = /"\\u0000(-?\d+)"/g;
const LONG_TEXT = /^\0-?\d{16,}$/;

/** A whole number beyond what a double holds exactly. */
export class Whole {
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }

  valueOf() {
    return Number(this.digits);
  }

  toJSON() {
    return MARK + this.digits;
  }
}

/** The number that these digits are. */
export function whole(digits) {
  const number = Number(digits);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(digits) ? number : new Whole(digits);
}

export function fromJson(text) {
  if (!LONG.test(text)) return JSON.parse(text);
  const marked = text.replace(TOKEN, (token) => (whole(token) instanceof Whole ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (_, value) => (typeof value === "string" && LONG_TEXT.test(value) ? whole(value.slice(1)) : value));
}

export function toJson(value, indent) {
  return JSON.stringify(value, null, indent).replace(MARKED, "$1");
}
