// The precompiled header of the tests is built for this file and used by the others.
