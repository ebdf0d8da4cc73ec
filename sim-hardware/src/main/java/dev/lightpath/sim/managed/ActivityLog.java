package dev.lightpath.sim.managed;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Who changed which switch by which protocol, for the protocols that tell of it. */
public final class ActivityLog {
    private final List<Consumer<Activity>> listeners = new CopyOnWriteArrayList<>();

    /**
     * A change that somebody made.
     *
     * @param device the switch
     * @param user as whom they logged in
     * @param address where they came from
     * @param protocol such as {@code TL1}
     * @param what they did, in words of that protocol
     */
    public record Activity(String device, String user, String address, String protocol, String what) {}

    /** Gets each change, on the thread of whoever makes it. */
    public void listen(Consumer<Activity> listener) {
        listeners.add(listener);
    }

    /** Something was changed. */
    public void note(Activity activity) {
        listeners.forEach(each -> each.accept(activity));
    }
}
