@org.jspecify.annotations.NullMarked
package dev.lightpath.soak;
