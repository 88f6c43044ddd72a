// Where the build put what others load. Nothing is loaded here.
'use strict';
const { join } = require('node:path');

const at = (name) => join(__dirname, 'build/Release', name);

exports.addonPath = at('verbslab.node');
exports.urocePath = at('liburoce.so');
exports.urocePathsPath = at('liburoce-paths.so');
exports.vlloopPath = at('vlloop');
exports.vlcostPath = at('vlcost');
exports.vlfloodPath = at('vlflood');
exports.vlsimPath = at('vlsim');
exports.vlcallsPath = at('vlcalls');
exports.confinePath = at('vlconfine');
exports.capturePath = at('vlcapture');
