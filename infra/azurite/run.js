// Azurite as long as somebody holds this process's standard input: it goes with the process that started it, however
// that one ends. Arguments are Azurite's own.
process.stdin.resume().on("end", () => process.exit(0)).on("error", () => process.exit(0));
require("azurite/dist/src/azurite.js");
