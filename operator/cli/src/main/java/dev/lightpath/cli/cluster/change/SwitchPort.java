package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import java.util.Optional;

/**
 * What {@code switch/NAME} or {@code switch/NAME/PORT} means.
 *
 * @param port empty where the whole switch is meant
 */
record SwitchPort(String name, Optional<String> port) {
    static SwitchPort parse(String text) {
        String[] parts = text.split("/", 3);
        if (parts.length < 3) {
            return new SwitchPort(ObjectName.SWITCH.parse(text), Optional.empty());
        }
        if (!ObjectName.SWITCH.means(parts[0]) || parts[1].isEmpty() || parts[2].isEmpty()) {
            throw new BadInput("'" + text + "': allowed is switch/NAME or switch/NAME/PORT");
        }
        return new SwitchPort(parts[1], Optional.of(parts[2]));
    }
}
