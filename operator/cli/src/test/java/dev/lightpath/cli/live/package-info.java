@org.jspecify.annotations.NullMarked
package dev.lightpath.cli.live;
