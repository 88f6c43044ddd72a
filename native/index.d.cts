/** The Node addon (`verbslab.node`). */
export declare const addonPath: string;
/** The embedded RDMA device (`liburoce.so`), a verbs library. */
export declare const urocePath: string;
/** What answers for the device in /sys and /dev (`liburoce-paths.so`), preloaded beside it. */
export declare const urocePathsPath: string;
/** The measuring loops as a program (`vlloop`). */
export declare const vlloopPath: string;
/** What single objects cost, as a program (`vlcost`); linked as stock programs are, so the device is preloaded. */
export declare const vlcostPath: string;
/** Packets that a device has to turn down, at a fixed rate, as a program (`vlflood`). */
export declare const vlfloodPath: string;
/** The fabric simulator as a program (`vlsim`). */
export declare const vlsimPath: string;
/** The system calls of another process, thread by thread, as a program (`vlcalls`). */
export declare const vlcallsPath: string;
/** Runs a program so that it reaches nothing but its folder and the embedded device (`vlconfine`). */
export declare const confinePath: string;
/** Captures the RoCEv2 packets of an interface (`vlcapture`); the only program that needs CAP_NET_RAW. */
export declare const capturePath: string;
