package dev.lightpath.driver.contract.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A device's view before and after something was learnt; {@code before} is null when the device is new. */
public record ViewChange(@Nullable DeviceView before, DeviceView after, List<Notice> notices, Instant at) {}
