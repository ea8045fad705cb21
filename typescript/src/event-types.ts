/** The types of the contract's events. @module */

export { EVENT_TYPES } from "./_contract/contract.js";
