#pragma once

// Npz files whose headers are malformed or differ, and members with malformed data.

#include <cstdint>
#include <string>

#include "npz_change.hpp"

namespace npz_malformed {

/// What both headers say.
template <class F>
auto both(F change) {
  return [change](Zip&, Member& m) { m.both(change); };
}
template <class F>
auto central(F change) {
  return [change](Zip&, Member& m) { change(m.central); };
}
template <class F>
auto local(F change) {
  return [change](Zip&, Member& m) { change(m.local); };
}

inline MalformedNpz const malformed_headers[] = {
    {central([](MemberFields& s) { s.comment = std::string(9, 'x'), s.disk = 1; }),
     "'a.npy': expected a zip file in one part, got a part of several"},
    {central([](MemberFields& s) { s.version = 64; }),
     "'a.npy': expected a zip file of version 6.3 or before, got 6.4"},
    {both([](MemberFields& s) { s.flags = 1; }),
     "'a.npy': expected a member in the clear, got an encrypted one"},
    {both([](MemberFields& s) { s.flags = 1u << 6; }),
     "'a.npy': expected a member in the clear, got an encrypted one"},
    {both([](MemberFields& s) { s.flags = 1u << 13; }),
     "'a.npy': expected a member in the clear, got an encrypted one"},
    {both([](MemberFields& s) { s.flags = 1u << 5; }),
     "'a.npy': expected a member of data, got a patch"},
    {both([](MemberFields& s) { s.method = 9; }),
     "'a.npy': expected a stored or deflated member, got method 9"},
    {both([](MemberFields& s) { s.method = 12; }),
     "'a.npy': expected a stored or deflated member, got method 12"},
    {both([](MemberFields& s) { s.method = 14; }),
     "'a.npy': expected a stored or deflated member, got method 14"},
    {both([](MemberFields& s) { s.method = 93; }),
     "'a.npy': expected a stored or deflated member, got method 93"},
    {both([](MemberFields& s) { s.method = 0xffff; }),
     "'a.npy': expected a stored or deflated member, got method 65535"},
    {both([](MemberFields& s) { s.name = "a.txt"; }),
     "'a.txt': expected a name that ends in .npy, got this"},
    {both([](MemberFields& s) { s.name = ""; }), "expected a name that ends in .npy, got this"},
    {both([](MemberFields& s) { s.name = "a/"; }),
     "'a/': expected a name that ends in .npy, got this"},
    {both([](MemberFields& s) { s.name = "\xff.npy"; }),
     "'\xff.npy': expected a name of UTF-8, got other bytes"},
    {both([](MemberFields& s) { s.name = std::string("a\0.npy", 6); }),
     "'a\\x00.npy': expected a name without zero bytes, got one with them"},
    {both([](MemberFields& s) { s.bytes = 131; }),
     "'a.npy': expected a size that its 132 bytes can have, got 131 bytes"},
    {both([](MemberFields& s) { s.compressed = 131; }),
     "'a.npy': expected a size that its 131 bytes can have, got 132 bytes"},
    {both([](MemberFields& s) { s.compressed = 60, s.bytes = 0xfffffff0; }),
     "'a.npy': expected a size that its 60 bytes can have, got 4294967280 bytes", true},
    {both([](MemberFields& s) { s.compressed = 60, s.bytes = 62'952; }),
     "'a.npy': expected a size that its 60 bytes can have, got 62952 bytes", true},
    {both([](MemberFields& s) {
       s.compressed = 60, s.bytes = 0xffffffff, s.extra = numbers64({std::uint64_t{1} << 50});
     }),
     "'a.npy': expected a size that its 60 bytes can have, got 1125899906842624 bytes", true},
    {both([](MemberFields& s) { s.bytes = 0xffffffff; }),
     "'a.npy': expected extra fields of a zip file, got others"},
    {[](Zip&, Member& m) {
       m.has_own_at = true, m.central.at = 0xffffffff, m.central.extra = numbers64({});
     },
     "'a.npy': expected extra fields of a zip file, got others"},
    {central([](MemberFields& s) { s.extra = "abc"; }),
     "'a.npy': expected extra fields of a zip file, got others"},
    {central([](MemberFields& s) { s.extra = std::string("\x07\0\xff\0abc", 7); }),
     "'a.npy': expected extra fields of a zip file, got others"},
    {[](Zip& z, Member& m) {
       m.has_own_at = true;
       m.central.at = 140;
       z.end.comment = "c";
     },
     "'a.npy': expected a local header as in the directory, got the end of the members"},
    {[](Zip&, Member& m) {
       m.has_own_at = true;
       m.central.at = 0xfffffff0;
     },
     "'a.npy': expected a local header as in the directory, got the end of the members"},
    {[](Zip&, Member& m) {
       m.has_own_at = true, m.central.at = 0xffffffff;
       m.central.extra = numbers64({~std::uint64_t{0} - 4});
     },
     "'a.npy': expected a local header as in the directory, got the end of the members"},
    {[](Zip&, Member& m) {
       m.has_own_at = true;
       m.central.at = 1;
     },
     "'a.npy': expected a local header as in the directory, got none"},
    {local([](MemberFields& s) { s.name = "b.npy"; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.name = "aa.npy"; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.flags = 1u << 11; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.method = 8; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.checksum ^= 1; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.checksum = 0; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.bytes = 0; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.compressed = 4; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.bytes = s.compressed = 0xffffffff; }),
     "'a.npy': expected a local header as in the directory, got another"},
    {local([](MemberFields& s) { s.bytes = 0xffffffff, s.extra = numbers64({7}); }),
     "'a.npy': expected a local header as in the directory, got another"},
    {[](Zip&, Member& m) { m.data.resize(100); },
     "'a.npy': expected a local header as in the directory, got one with too much data"},
    {[](Zip&, Member& m) { m.data.clear(); },
     "'a.npy': expected a local header as in the directory, got one with too much data"},
    {[](Zip&, Member& m) { m.both([](MemberFields& s) { s.flags = 8; }); },
     "'a.npy': expected a data descriptor as in the directory, got another"},
    {[](Zip&, Member& m) {
       m.both([](MemberFields& s) { s.flags = 8; });
       m.after = RecordText().four(0x08074b50).four(m.local.checksum).four(132).four(131).all();
     },
     "'a.npy': expected a data descriptor as in the directory, got another"},
    {[](Zip& z, Member& m) { z.members.push_back(m); },
     "expected every name once, got 'a.npy' again"},
    {[](Zip& z, Member& m) {  // two names for one member
       Member other = m;
       other.data.clear();
       other.both([](MemberFields& s) { s.name = "b.npy"; });
       other.has_own_at = true;
       z.members.push_back(other);
     },
     "'b.npy': expected a local header as in the directory, got another"},
    {[](Zip& z, Member& m) {  // one within another
       Member const inner = npz_builder::member("b.npy", npz_builder::array("5678"));
       std::string const text = Zip::local_header(inner.local) + inner.data;
       m = npz_builder::member("a.npy", npz_builder::array(text));
       MemberFields fields = inner.central;
       fields.at = 30 + 5 + 128;
       z.members.push_back({.data = "", .local = {}, .central = fields, .has_own_at = true});
     },
     "'b.npy': expected members one after the other, got one within 'a.npy'"},
};

/// A block of deflate without compression, which is not the last.
inline std::string stored_block(std::string const& data) {
  RecordText text;
  return text.text(std::string(1, '\0')).two(data.size()).two(~data.size()).text(data).all();
}

/// Of the member's data.
inline MalformedNpz const malformed_contents[] = {
    {[](Zip&, Member& m) { m = npz_builder::member("a.npy", ""); },
     "'a': expected an npy file, of at least 10 bytes, got 0 bytes"},
    {[](Zip&, Member& m) { m = npz_builder::member("a.npy", "no array at all"); },
     "'a': expected an npy file, got another"},
    {[](Zip&, Member& m) { m = npz_builder::member("a.npy", npz_builder::array("1234") + "5"); },
     "'a': expected 4 bytes of elements for its shape, got 5 bytes"},
    {[](Zip&, Member& m) { m = npz_builder::member("a.npy", npz_builder::array("1") + "5", true); },
     "'a': expected 1 bytes of elements for its shape, got 2 bytes"},
    {[](Zip&, Member& m) { m.data.back() = '5'; },
     "'a': expected the checksum 1216636308, got 1065571586"},
    {both([](MemberFields& s) { s.checksum = 0; }), "'a': expected the checksum 0, got 1216636308",
     true},
    {[](Zip&, Member& m) {
       m.data.back() = '5';
       m.both([](MemberFields& s) { s.flags = 8; });
       m.after = RecordText().four(m.local.checksum).four(132).four(132).all();
     },
     "'a': expected the checksum 1216636308, got 1065571586"},
    {[](Zip&, Member& m) { m.data[0] = '\x07'; }, "'a': expected deflated data, got others", true},
    {[](Zip&, Member& m) { m.data = std::string(m.data.size(), '\0'); },
     "'a': expected deflated data, got others", true},
    {[](Zip&, Member& m) {  // damaged after the header of the array
       m.data = stored_block(npz_builder::array("1234").substr(0, 128)) + "\x07";
       m.both([&](MemberFields& s) { s.compressed = m.data.size(); });
     },
     "'a': expected deflated data, got others", true},
    {[](Zip&, Member& m) {
       m.data = stored_block(npz_builder::array("1234")) + stored_block("");
       m.both([&](MemberFields& s) { s.compressed = m.data.size(); });
     },
     "'a': expected deflated data to their end, got a part", true},
    {[](Zip&, Member& m) {
       m.data.resize(m.data.size() - 9);
       m.both([](MemberFields& s) { s.compressed -= 9; });
     },
     "'a': expected deflated data to their end, got a part", true},
    {[](Zip&, Member& m) {
       m.data.clear();
       m.both([](MemberFields& s) { s.compressed = 0, s.bytes = 20; });
     },
     "'a': expected deflated data to their end, got a part", true},
    {[](Zip&, Member& m) {
       m.data += "more";
       m.both([](MemberFields& s) { s.compressed += 4; });
     },
     "'a': expected compressed data that end with the member, got more bytes", true},
    {[](Zip&, Member& m) {  // the array is shorter than the directory says
       m = npz_builder::member("a.npy", npz_builder::array("1234"), true);
       m.data = npz_builder::deflated_text(npz_builder::array("1234").substr(0, 131));
       m.both([&](MemberFields& s) { s.compressed = m.data.size(); });
     },
     "'a': expected 132 bytes, as the directory says, got fewer", true},
    {[](Zip&, Member& m) {
       m.data = npz_builder::deflated_text(npz_builder::array("1234") + "5");
       m.both([&](MemberFields& s) { s.compressed = m.data.size(); });
     },
     "'a': expected 132 bytes, as the directory says, got more", true},
    {[](Zip&, Member& m) {  // four megabytes of zeros, of which the directory says less
       m.data = npz_builder::deflated_text(npz_builder::array("1234") + std::string(1 << 22, '\0'));
       m.both([&](MemberFields& s) { s.compressed = m.data.size(); });
     },
     "'a': expected 132 bytes, as the directory says, got more", true},
};

}  // namespace npz_malformed
