/** The corpus's cases of JSON to protobuf and back. */

import { describe, expect, test } from "vitest";
import {
  type FromProtoInput,
  fromProto,
  type ToProtoInput,
  toProto,
} from "../../src/testee/proto.js";
import { cases, fitsNumbers } from "../cases.js";

describe("to protobuf", () => {
  test.each(cases<ToProtoInput>("proto/to/").filter(fitsNumbers))(
    "$id: $title",
    ({ input, expect: expected }) => {
      expect(toProto(input)).toMatchObject(expected);
    },
  );
});

describe("from protobuf", () => {
  test.each(cases<FromProtoInput>("proto/from/").filter(fitsNumbers))(
    "$id: $title",
    ({ input, expect: expected }) => {
      expect(fromProto(input)).toMatchObject(expected);
    },
  );
});
