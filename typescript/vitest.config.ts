import { defineConfig } from "vitest/config";

export default defineConfig({
  // src/_protobuf is a link into generated/, whose imports are to be found from here.
  resolve: { preserveSymlinks: true },
  // A test waits for what has to come, however slow the machine.
  test: { testTimeout: 120_000, hookTimeout: 120_000, include: ["test/**/*.test.ts"] },
});
