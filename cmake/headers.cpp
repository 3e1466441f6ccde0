// Carries the precompiled headers of others (CMakeLists.txt); it holds nothing.
