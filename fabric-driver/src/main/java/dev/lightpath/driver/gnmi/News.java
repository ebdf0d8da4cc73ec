package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.SubscriptionMode;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears when something changes at a device. Only that it does: the tables are read then. A stream that the device ends
 * or refuses is opened again after a poll interval at the earliest, and the device is asked in each interval as well.
 */
final class News {
    private static final Logger LOG = LoggerFactory.getLogger(News.class);

    private final GnmiSession session;
    private final String device;
    private final Duration poll;
    private final Runnable event;
    private final SubscribeRequest request;
    private volatile boolean open;
    private volatile long openedNanos;
    private volatile boolean told;

    News(GnmiSession session, String device, Duration poll, List<Path> paths, Runnable event) {
        this.session = session;
        this.device = device;
        this.poll = poll;
        this.event = event;
        SubscriptionList.Builder list = SubscriptionList.newBuilder()
                .setMode(SubscriptionList.Mode.STREAM)
                .setEncoding(Encoding.JSON_IETF)
                .setUpdatesOnly(true);
        for (Path each : paths) {
            list.addSubscription(Subscription.newBuilder().setPath(each).setMode(SubscriptionMode.ON_CHANGE));
        }
        request = SubscribeRequest.newBuilder().setSubscribe(list).build();
        open();
    }

    /** Opens the stream again if it is over. */
    void listen() {
        if (!open && System.nanoTime() - openedNanos > poll.toNanos()) {
            open();
        }
    }

    private void open() {
        open = true;
        openedNanos = System.nanoTime();
        session.subscribe(request, event, this::over);
    }

    private void over(String why) {
        open = false;
        if (!told) {
            told = true;
            LOG.atWarn()
                    .addKeyValue("device", device)
                    .log("no notifications, asking every " + poll.toMillis() + " ms: " + why);
        }
    }
}
