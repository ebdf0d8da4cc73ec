package dev.lightpath.console.forecast;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.planner.fault.Subject;
import java.util.Arrays;
import java.util.List;

/**
 * What fails, as a person writes it: as statuses name faults, or {@code switch/NAME} and {@code switch/NAME/PORT}.
 *
 * @param words as written
 * @param type by the first word
 * @param subject as statuses name it, where switches are devices too
 */
public record FaultName(String words, Type type, Subject subject) {
    /** What a person says that it is. */
    public enum Type {
        NODE,
        DEVICE,
        PORT,
        SWITCH
    }

    private static final String ALLOWED =
            "node/NAME, device/NODE, port/NODE/BUNDLE (b0, b0.path1 ...), switch/NAME or switch/NAME/PORT";

    /** @throws BadInput for anything else */
    public static FaultName parse(String text) {
        List<String> parts = Arrays.asList(text.split("/", -1));
        String word = parts.getFirst();
        if (parts.contains("")) {
            throw refused(text);
        }
        boolean ofSwitch = ObjectName.SWITCH.means(word);
        if (parts.size() == 1 || (parts.size() == 2 && ObjectName.NODE.means(word))) {
            return new FaultName(text, Type.NODE, new Subject.OfNode(parts.getLast()));
        }
        if (parts.size() == 2 && (word.equals("device") || ofSwitch)) {
            return new FaultName(text, ofSwitch ? Type.SWITCH : Type.DEVICE, new Subject.OfDevice(parts.getLast()));
        }
        if (parts.size() == 3 && (word.equals("port") || ofSwitch)) {
            return new FaultName(
                    text, ofSwitch ? Type.SWITCH : Type.PORT, new Subject.OfPort(parts.get(1), parts.getLast()));
        }
        throw refused(text);
    }

    private static BadInput refused(String text) {
        return new BadInput("'" + text + "': allowed is " + ALLOWED);
    }
}
