#pragma once

// Made by scripts/wide_structs.

#include <tenon/tree/bindings.hpp>

namespace tenon::internal::tree {
// clang-format off
template <class T> constexpr auto bind_fields(T& object, FieldCount<33>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6] = object; return tie_fields(a,b,c,d,e,f,g,h,
i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<34>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7] = object; return tie_fields(a,b,c,d,e,f,
g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<35>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8] = object; return tie_fields(a,b,c,d,e,
f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<36>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9] = object; return tie_fields(a,b,c,
d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<37>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0] = object; return tie_fields(a,b,
c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<38>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,
b1] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<39>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,
b2] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<40>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,
b3] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<41>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,
b4] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<42>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,
b5] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<43>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,
b6] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<44>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,
b7] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<45>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,
b8] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<46>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,
b9] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<47>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,
c0] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<48>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,
c1] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<49>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,
a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<50>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,
a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<51>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,
a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<52>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,
a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<53>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,
a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<54>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,
a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<55>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,
z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<56>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,
x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,c9); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<57>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,
w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,
d0); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<58>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,
u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,
c9,d0,d1); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<59>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,
t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,
c8,c9,d0,d1,d2); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<60>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,
r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,
c7,c8,c9,d0,d1,d2,d3); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<61>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,
q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,
c6,c7,c8,c9,d0,d1,d2,d3,d4); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<62>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,n,
o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,
c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<63>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5,d6] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,l,m,
n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,
c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5,d6); }
template <class T> constexpr auto bind_fields(T& object, FieldCount<64>) { auto& [a,b,c,d,e,f,g,h,i,
j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,
c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5,d6,d7] = object; return tie_fields(a,b,c,d,e,f,g,h,i,j,k,
l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,
c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5,d6,d7); }
// clang-format on
}  // namespace tenon::internal::tree
