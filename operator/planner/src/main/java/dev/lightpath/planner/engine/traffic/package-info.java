/**
 * Jobs whose circuits follow their traffic: which pods of the fabric each gets, how many ports it may use there, and on
 * which real ports its circuits are made. The door is {@code TrafficLedger}.
 */
@NullMarked
package dev.lightpath.planner.engine.traffic;

import org.jspecify.annotations.NullMarked;
