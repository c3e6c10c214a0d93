// What a question's JSON Schema asks for, as the page needs to know it.

/** The schema behind references and lone wrappers; `nullable` where null is an answer too. */
export function resolve(schema, root = schema, depth = 0) {
  if (typeof schema !== "object" || schema === null || depth > 20) return {};
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#")) {
    let target = root;
    for (const part of schema.$ref.slice(1).split("/").filter(Boolean)) target = target?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
    const { $ref, ...rest } = schema;
    return { ...resolve(target, root, depth + 1), ...rest };
  }
  if (Array.isArray(schema.allOf) && schema.allOf.length) {
    const { allOf, ...rest } = schema;
    return Object.assign({}, ...allOf.map((part) => resolve(part, root, depth + 1)), rest);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const solid = branches.map((branch) => resolve(branch, root, depth + 1)).filter((branch) => branch.type !== "null");
    if (solid.length === 1 && branches.length > 1) {
      const { anyOf, oneOf, ...rest } = schema;
      return { ...solid[0], ...rest, nullable: true };
    }
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    if (types.length === 1) return { ...schema, type: types[0], nullable: types.length < schema.type.length };
  }
  return schema;
}

/** The values to choose from, each with its title; null where it is no choice. */
export function choicesOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map((value, index) => ({ value, title: String(schema.enumNames?.[index] ?? value) }));
  const branches = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(branches) || !branches.length || !branches.every((branch) => branch && "const" in branch)) return null;
  return branches.map((branch) => ({ value: branch.const, title: String(branch.title ?? branch.const), description: branch.description }));
}

const INPUTS = { date: "date", time: "time", "date-time": "datetime-local", email: "email", uri: "url" };

/** boolean, choice, number, input (native), list, many, object, money or text. */
export function kindOf(schema, root) {
  if (schema.type === "boolean") return "boolean";
  if (choicesOf(schema)) return "choice";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string" && INPUTS[schema.format]) return "input";
  if (schema.type === "array") return choicesOf(resolve(schema.items ?? {}, root)) ? "many" : "list";
  if (schema.type === "object" && Object.keys(schema.properties ?? {}).length) return moneyOf(schema, root) ? "money" : "object";
  return "text";
}

export const inputType = (schema) => INPUTS[schema.format];

/** The amount and the currency of a money object. */
export function moneyOf(schema, root) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, resolve(field, root)]);
  if (fields.length !== 2) return null;
  const amount = fields.find(([, field]) => field.type === "number" || field.type === "integer");
  const currency = fields.find(([, field]) => (choicesOf(field) ?? ("const" in field ? [{ value: field.const }] : [])).length);
  if (!amount || !currency) return null;
  const codes = choicesOf(currency[1]) ?? [{ value: currency[1].const, title: String(currency[1].const) }];
  if (!codes.every((code) => /^[A-Z]{3}$/.test(String(code.value)))) return null;
  return { amount, currency: currency[0], codes };
}

/** The lowest and highest number, inclusive where the schema says it. */
export function boundsOf(schema) {
  const step = schema.multipleOf ?? (schema.type === "integer" ? 1 : null);
  const low = schema.minimum ?? (schema.exclusiveMinimum !== undefined && step ? schema.exclusiveMinimum + step : undefined);
  const high = schema.maximum ?? (schema.exclusiveMaximum !== undefined && step ? schema.exclusiveMaximum - step : undefined);
  return { low, high, step };
}
