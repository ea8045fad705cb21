/**
 * Copies of plain JSON, so that the Msg shares nothing with an event (`fold.no-alias`).
 *
 * @module
 */

/** A deep copy. A member may be called `__proto__`, which is a name like any other. */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const name of Object.keys(copy)) {
    const inner = copy[name];
    if (typeof inner === "object" && inner !== null) setMember(copy, name, copyJson(inner));
  }
  return copy as T;
}

/** Set a member by its name, whatever that is. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name !== "__proto__") (target as Record<string, unknown>)[name] = value;
  else {
    const writable = { enumerable: true, configurable: true, writable: true };
    Object.defineProperty(target, name, { value, ...writable });
  }
}
