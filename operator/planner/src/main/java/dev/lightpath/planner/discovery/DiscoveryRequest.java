package dev.lightpath.planner.discovery;

import java.util.Optional;

/**
 * What a person asks about the fibres of one switch, and what is recorded of it.
 *
 * @param request empty when nobody asks, or no longer
 * @param recorded what is written in the switch's status; empty when there is nothing
 */
public record DiscoveryRequest(Optional<String> request, Optional<SwitchDiscovery> recorded) {}
