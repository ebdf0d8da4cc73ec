package dev.lightpath.cli.cluster;

import dev.lightpath.cli.BadInput;
import dev.lightpath.planner.fault.Subject;
import java.util.Arrays;
import java.util.List;

/** What fails, as a person writes it: as statuses name faults, or {@code switch/NAME} and {@code switch/NAME/PORT}. */
final class FaultName {
    private static final String ALLOWED =
            "node/NAME, device/NODE, port/NODE/BUNDLE (b0, b0.path1 ...), switch/NAME or switch/NAME/PORT";

    private FaultName() {}

    static Subject parse(String text) {
        List<String> parts = Arrays.asList(text.split("/", -1));
        String word = parts.getFirst();
        if (parts.contains("")) {
            throw refused(text);
        }
        if (parts.size() == 1 || (parts.size() == 2 && ObjectName.NODE.means(word))) {
            return new Subject.OfNode(parts.getLast());
        }
        boolean device = word.equals("device") || ObjectName.SWITCH.means(word);
        if (parts.size() == 2 && device) {
            return new Subject.OfDevice(parts.getLast());
        }
        if (parts.size() == 3 && (word.equals("port") || ObjectName.SWITCH.means(word))) {
            return new Subject.OfPort(parts.get(1), parts.getLast());
        }
        throw refused(text);
    }

    private static BadInput refused(String text) {
        return new BadInput("'" + text + "': allowed is " + ALLOWED);
    }
}
