package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.StandingAlarms;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What a switch tells by a stream of notifications. */
final class StreamEvents implements Consumer<Element> {
    /** Of all modules of the vendor. */
    private static final String VENDOR = "http://www.polatis.com/yang/";

    private final PortLayout layout;
    private final StandingAlarms alarms;
    private final Activities activities;
    private final UnaryOperator<String> hiding;
    private final Runnable changed;
    private volatile boolean general;
    private volatile boolean own;
    private volatile boolean others;

    /**
     * @param hiding takes out of the device's words what nobody may read
     * @param changed is run when the device may have changed
     */
    StreamEvents(
            PortLayout layout,
            StandingAlarms alarms,
            Activities activities,
            UnaryOperator<String> hiding,
            Runnable changed) {
        this.layout = layout;
        this.alarms = alarms;
        this.activities = activities;
        this.hiding = hiding;
        this.changed = changed;
    }

    /** From now on they are those of the server, which tells of every session too, and not only those of the switch. */
    void areGeneral() {
        general = true;
    }

    @Override
    public void accept(Element notification) {
        PowerAlarms.take(notification, layout, alarms, hiding);
        if (activities.take(notification)) {
            own = true;
        } else {
            others = true;
        }
        if (!general || notification.children().stream().anyMatch(StreamEvents::isChange)) {
            changed.run();
        }
    }

    /** Who else changed the device since this was asked last. */
    List<String> foreignWriters() {
        return activities.take();
    }

    /** The device is read now. */
    void beginReading() {
        own = false;
        others = false;
    }

    /** Whether something was told since the device was read last, and all of that is what this driver did. */
    boolean areOwn() {
        return own && !others;
    }

    private static boolean isChange(Element event) {
        return event.name().equals("netconf-config-change") || event.namespace().startsWith(VENDOR);
    }
}
