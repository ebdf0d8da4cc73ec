/**
 * Recorded workloads turned into what the planner's DELTA reads: SimAI/AICB workload files and MLCommons Chakra
 * execution traces. Doors: {@link dev.lightpath.reading.traffic.AicbWorkload},
 * {@link dev.lightpath.reading.traffic.ChakraTrace}.
 */
@NullMarked
package dev.lightpath.reading.traffic;

import org.jspecify.annotations.NullMarked;
