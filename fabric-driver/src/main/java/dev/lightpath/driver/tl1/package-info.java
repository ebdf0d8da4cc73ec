/**
 * Switches that speak TL1 (Telcordia GR-831), with the commands of Polatis switches: {@code ENT-PATCH}, {@code DLT-PATCH},
 * {@code RTRV-PATCH}.
 */
@NullMarked
package dev.lightpath.driver.tl1;

import org.jspecify.annotations.NullMarked;
