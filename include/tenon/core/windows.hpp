#pragma once

/// Functions of Windows, declared as in <windows.h>, whose macros would reach every user.
#if defined(_WIN32)

struct HINSTANCE__;

extern "C" {
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) int __stdcall MoveFileExW(wchar_t const*, wchar_t const*, unsigned long);
struct _SECURITY_ATTRIBUTES;
__declspec(dllimport) void* __stdcall CreateFileMappingW(void*, _SECURITY_ATTRIBUTES*,
                                                         unsigned long, unsigned long,
                                                         unsigned long, wchar_t const*);
__declspec(dllimport) void* __stdcall MapViewOfFile(void*, unsigned long, unsigned long,
                                                    unsigned long, unsigned long long);
__declspec(dllimport) int __stdcall UnmapViewOfFile(void const*);
__declspec(dllimport) int __stdcall CloseHandle(void*);
__declspec(dllimport) HINSTANCE__* __stdcall LoadLibraryA(char const*);
__declspec(dllimport) long long(__stdcall* __stdcall GetProcAddress(HINSTANCE__*, char const*))();
}

#endif
