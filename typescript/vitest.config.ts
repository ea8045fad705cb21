import { defineConfig } from "vitest/config";

export default defineConfig({
  // src/_protobuf is a link into generated/, whose imports are to be found from here.
  resolve: { preserveSymlinks: true },
  test: { include: ["test/**/*.test.ts"] },
});
