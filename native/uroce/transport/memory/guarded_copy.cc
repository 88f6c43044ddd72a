#include "uroce/transport/memory/guarded_copy.h"

#if defined(UROCE_SHORT_COPIES)

// rdx bytes from rsi to rdi, at most 256, by pieces that overlap. Uses rax, rcx, r8, r9 and xmm0 to xmm3.
#define COPY                         \
  "  cmpq $16, %rdx\n"               \
  "  jb 3f\n"                        \
  "  cmpq $32, %rdx\n"               \
  "  ja 1f\n"                        \
  "  movups (%rsi), %xmm0\n"         \
  "  movups -16(%rsi,%rdx), %xmm1\n" \
  "  movups %xmm0, (%rdi)\n"         \
  "  movups %xmm1, -16(%rdi,%rdx)\n" \
  "  jmp 9f\n"                       \
  "1:\n"                             \
  "  cmpq $64, %rdx\n"               \
  "  jbe 2f\n"                       \
  "1:\n"                             \
  "  movups (%rsi), %xmm0\n"         \
  "  movups 16(%rsi), %xmm1\n"       \
  "  movups 32(%rsi), %xmm2\n"       \
  "  movups 48(%rsi), %xmm3\n"       \
  "  movups %xmm0, (%rdi)\n"         \
  "  movups %xmm1, 16(%rdi)\n"       \
  "  movups %xmm2, 32(%rdi)\n"       \
  "  movups %xmm3, 48(%rdi)\n"       \
  "  addq $64, %rsi\n"               \
  "  addq $64, %rdi\n"               \
  "  subq $64, %rdx\n"               \
  "  cmpq $64, %rdx\n"               \
  "  ja 1b\n"                        \
  "  movups -64(%rsi,%rdx), %xmm0\n" \
  "  movups -48(%rsi,%rdx), %xmm1\n" \
  "  movups %xmm0, -64(%rdi,%rdx)\n" \
  "  movups %xmm1, -48(%rdi,%rdx)\n" \
  "  movups -32(%rsi,%rdx), %xmm0\n" \
  "  movups -16(%rsi,%rdx), %xmm1\n" \
  "  movups %xmm0, -32(%rdi,%rdx)\n" \
  "  movups %xmm1, -16(%rdi,%rdx)\n" \
  "  jmp 9f\n"                       \
  "2:\n"                             \
  "  movups (%rsi), %xmm0\n"         \
  "  movups 16(%rsi), %xmm1\n"       \
  "  movups -32(%rsi,%rdx), %xmm2\n" \
  "  movups -16(%rsi,%rdx), %xmm3\n" \
  "  movups %xmm0, (%rdi)\n"         \
  "  movups %xmm1, 16(%rdi)\n"       \
  "  movups %xmm2, -32(%rdi,%rdx)\n" \
  "  movups %xmm3, -16(%rdi,%rdx)\n" \
  "  jmp 9f\n"                       \
  "3:\n"                             \
  "  cmpl $8, %edx\n"                \
  "  jb 4f\n"                        \
  "  movq (%rsi), %rax\n"            \
  "  movq -8(%rsi,%rdx), %r8\n"      \
  "  movq %rax, (%rdi)\n"            \
  "  movq %r8, -8(%rdi,%rdx)\n"      \
  "  jmp 9f\n"                       \
  "4:\n"                             \
  "  cmpl $4, %edx\n"                \
  "  jb 5f\n"                        \
  "  movl (%rsi), %eax\n"            \
  "  movl -4(%rsi,%rdx), %r8d\n"     \
  "  movl %eax, (%rdi)\n"            \
  "  movl %r8d, -4(%rdi,%rdx)\n"     \
  "  jmp 9f\n"                       \
  "5:\n"                             \
  "  testl %edx, %edx\n"             \
  "  jz 9f\n"                        \
  "  movzbl (%rsi), %eax\n"          \
  "  movzbl -1(%rsi,%rdx), %r8d\n"   \
  "  leaq -1(%rdi,%rdx), %r9\n"      \
  "  shrl $1, %edx\n"                \
  "  movzbl (%rsi,%rdx), %ecx\n"     \
  "  movb %cl, (%rdi,%rdx)\n"        \
  "  movb %al, (%rdi)\n"             \
  "  movb %r8b, (%r9)\n"             \
  "9:\n"

// The stack is as the caller left it at every possible fault, so that `gone` can return to the caller.
__asm__(
    ".pushsection .text\n"
    ".hidden uroce_short_begin, uroce_short_end, uroce_short_gone, uroce_copy_short, uroce_store_short\n"
    ".globl uroce_short_begin, uroce_short_end, uroce_short_gone, uroce_copy_short, uroce_store_short\n"
    ".type uroce_copy_short, @function\n"
    ".type uroce_store_short, @function\n"
    ".p2align 5\n"
    "uroce_short_begin:\n"
    "uroce_copy_short:\n"
    "  .cfi_startproc\n"
    // clang-format off
    COPY
    "  movl $1, %eax\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size uroce_copy_short, .-uroce_copy_short\n"
    ".p2align 5\n"
    "uroce_store_short:\n"
    "  .cfi_startproc\n"
    "  leaq (%rdi,%rdx), %r11\n"
    "  cmpq $8, %rdx\n"
    "  jb 6f\n"
    "  testb $7, %r11b\n"
    "  jnz 6f\n"
    "  movq -8(%rsi,%rdx), %r10\n"
    "  subq $8, %rdx\n"
    COPY
    "  movq %r10, -8(%r11)\n"
    "  movl $1, %eax\n"
    "  ret\n"
    "6:\n"
    "  movzbl -1(%rsi,%rdx), %r10d\n"
    "  subq $1, %rdx\n"
    COPY
    "  movb %r10b, -1(%r11)\n"
    "  movl $1, %eax\n"
    "  ret\n"
    // clang-format on
    "uroce_short_end:\n"
    "uroce_short_gone:\n"
    "  xorl %eax, %eax\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size uroce_store_short, .-uroce_store_short\n"
    ".popsection\n");

#endif
