/**
 * Is this a Msg, an event, a stream of events? If not, what is wrong and where?
 *
 * Validation is apart from folding: the fold goes on where it can, validation reports every fault.
 *
 * @module
 */

export type { Fault, FaultCode } from "./faults.js";
export type { CheckOptions } from "./schema.js";
export { validateStream, validateText, validateValue } from "./stream.js";
