// The native TypeScript compiler, with the arguments of tsc. The package typescript stays for those who need its API:
// Next and the workbench. Both bring a program named tsc.
import '../node_modules/typescript-native/bin/tsc';
