package dev.lightpath.driver.openflow;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.ToldOnce;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ports that the size in {@code driver.yaml} has, and of which the device tells nothing. They have failed, or the
 * device is smaller than described: OpenFlow does not tell these apart. No circuit is made at them.
 */
final class UntoldPorts {
    private static final Logger LOG = LoggerFactory.getLogger(UntoldPorts.class);
    private static final int MOST_RANGES = 8;

    private final String device;
    private final PortLayout layout;
    private final ToldOnce told;
    private volatile Set<Integer> ports = Set.of();
    private long news;

    /** By port: the {@link #news} when the device told of it last. */
    private final Map<Integer, Long> heard = new HashMap<>();

    /** @param told outlives the connection, so that a device that connects again is told of once */
    UntoldPorts(OpenFlowSwitchConfig config, PortLayout layout, ToldOnce told) {
        this.device = config.id();
        this.layout = layout;
        this.told = told;
    }

    /** How often the device told of a port by itself: to be asked before all ports are asked for. */
    synchronized long news() {
        return news;
    }

    /** The device says by itself that it has a port, or has it no more. */
    synchronized void heard(int port, boolean gone) {
        if (port < 1 || port > layout.ingress() + layout.egress()) {
            return;
        }
        Set<Integer> now = new TreeSet<>(ports);
        if (gone) {
            now.add(port);
        } else {
            now.remove(port);
        }
        ports = Set.copyOf(now);
        news++;
        heard.put(port, news);
    }

    /** What it told of a port by itself meanwhile may be newer than its answer. */
    private synchronized void take(Set<Integer> missing, long asked) {
        heard.forEach((port, when) -> {
            if (when > asked && ports.contains(port)) {
                missing.add(port);
            } else if (when > asked) {
                missing.remove(port);
            }
        });
        ports = Set.copyOf(missing);
    }

    /**
     * Takes what the device answered last and told since it was asked, and says what is missing; empty when nothing is.
     *
     * @param asked the {@link #news} before it was asked
     */
    String after(Collection<Integer> described, long asked) {
        SortedSet<Integer> missing = new TreeSet<>();
        for (int port = 1; port <= layout.ingress() + layout.egress(); port++) {
            missing.add(port);
        }
        missing.removeAll(described);
        take(missing, asked);
        if (missing.isEmpty()) {
            return "";
        }
        String line = "the device tells of no port " + ranges(missing) + ", but driver.yaml names size " + layout.size()
                + ": they have failed, or the device is smaller; no circuit is made at them";
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", device).log(line);
        }
        return line;
    }

    boolean has(Flow.Way way) {
        return ports.contains(way.from()) || ports.contains(way.to());
    }

    private static String ranges(SortedSet<Integer> ports) {
        StringBuilder text = new StringBuilder();
        int ranges = 0;
        for (int first : ports) {
            if (ports.contains(first - 1)) {
                continue;
            }
            if (++ranges > MOST_RANGES) {
                return text.append(" and more").toString();
            }
            int last = first;
            while (ports.contains(last + 1)) {
                last++;
            }
            text.append(ranges == 1 ? "" : ", ").append(first).append(last == first ? "" : "-" + last);
        }
        return text.toString();
    }
}
