/**
 * The whole operator measured: API server, etcd, emulated hardware, driver and operator are processes of their own, and
 * this program looks at them from outside. Its libraries are those of the packaged operator. {@link SwitchChanges}
 * measures a driver alone, before switches that it emulates itself.
 */
@NullMarked
package dev.lightpath.benchmarks.whole;

import org.jspecify.annotations.NullMarked;
