package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.ItemReason;

/** What the device said to one move. It is no evidence of light: the driver reads back. */
public sealed interface MoveAnswer {
    /** The device took it. */
    record Accepted() implements MoveAnswer {}

    /** The device did not. {@code nativeText} is what it said. */
    record Refused(ItemReason reason, String nativeText) implements MoveAnswer {}
}
