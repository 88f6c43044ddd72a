/** `enum ibv_wc_status`, as far as labs cause them. */
export const LOC_LEN_ERR = 1;
export const LOC_QP_OP_ERR = 2;
export const LOC_PROT_ERR = 4;
export const MW_BIND_ERR = 6;
export const BAD_RESP_ERR = 7;
export const REM_INV_REQ_ERR = 9;
export const REM_ACCESS_ERR = 10;
export const REM_OP_ERR = 11;
export const RETRY_EXC_ERR = 12;
export const RNR_RETRY_EXC_ERR = 13;
