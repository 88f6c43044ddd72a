'use strict';
// Runs a bundled program with what V8 made of it while it was bundled: to compile a megabyte takes as long as Node's
// own start.
const { isAscii } = require('node:buffer');
const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** Where the compiled form of `FOLDER/NAME.cjs` is, for this release of Node. */
const compiledPath = (folder, name) => join(folder, `${name}.${process.version}.cache`);

/** The compiled form, or undefined if there is none, as for any other release of Node. */
function compiled(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The script of `FOLDER/NAME.cjs`. If V8 rejects the compiled form, it compiles the source. */
function script(folder, name) {
  const filename = join(folder, `${name}.cjs`);
  const code = readFileSync(filename);
  // Text of one byte per character is taken as it is.
  const source = wrap(code.toString(isAscii(code) ? 'latin1' : 'utf8'));
  return new Script(source, { filename, cachedData: compiled(compiledPath(folder, name)) });
}

/** Runs the script as a CommonJS module, and returns its exports. */
function run(folder, name) {
  const filename = join(folder, `${name}.cjs`);
  const module = { exports: {} };
  script(folder, name).runInThisContext()(module.exports, createRequire(filename), module, filename, folder);
  return module.exports;
}

exports.compiledPath = compiledPath;
exports.script = script;
exports.run = run;
