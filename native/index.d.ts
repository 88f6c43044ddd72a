/** The Node addon (`verbslab.node`). */
export declare const addonPath: string;
/** The embedded RDMA device (`liburoce.so`), a verbs library. */
export declare const urocePath: string;
/** The measuring loops as a program (`vlloop`). */
export declare const vlloopPath: string;
