// `objc_msgSend` of the fake: finds the method and jumps to it with all arguments in place,
// whatever their types, like the real one.

#pragma once

#include "objects.hpp"

extern "C" [[gnu::used]] inline void* objects_method_of_message(objects::Thing* thing,
                                                                objects::Selector name) {
  return reinterpret_cast<void*>(objects::method_of(thing, name));
}

#if defined(__x86_64__)
// Six integer registers of arguments are saved, and two floating-point ones: no method here takes
// more.
asm(R"(
  .text
  .globl objc_msgSend
  .type objc_msgSend, @function
objc_msgSend:
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  subq $24, %rsp
  movsd %xmm0, (%rsp)
  movsd %xmm1, 8(%rsp)
  call objects_method_of_message@PLT
  movsd (%rsp), %xmm0
  movsd 8(%rsp), %xmm1
  addq $24, %rsp
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  jmp *%rax
  .size objc_msgSend, . - objc_msgSend
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl objc_msgSend
  .type objc_msgSend, %function
objc_msgSend:
  stp x0, x1, [sp, #-96]!
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  stp x29, x30, [sp, #64]
  stp d0, d1, [sp, #80]
  bl objects_method_of_message
  mov x16, x0
  ldp x2, x3, [sp, #16]
  ldp x4, x5, [sp, #32]
  ldp x6, x7, [sp, #48]
  ldp x29, x30, [sp, #64]
  ldp d0, d1, [sp, #80]
  ldp x0, x1, [sp], #96
  br x16
  .size objc_msgSend, . - objc_msgSend
)");
#endif
