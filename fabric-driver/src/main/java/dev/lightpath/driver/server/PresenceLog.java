package dev.lightpath.driver.server;

import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that a device has fallen silent and once that it answers again, however many calls there were between. */
final class PresenceLog implements Consumer<ViewChange> {
    private static final Logger LOG = LoggerFactory.getLogger(PresenceLog.class);

    @Override
    public void accept(ViewChange change) {
        DeviceView before = change.before();
        DeviceView after = change.after();
        if (before == null) {
            return;
        }
        boolean was = isSilent(before);
        boolean is = isSilent(after);
        // of one that was never reached its adapter has just said why
        if (is && !was && !after.description().isUnreached()) {
            LOG.atWarn()
                    .addKeyValue("device", after.deviceId())
                    .addKeyValue("detail", after.silentDetail())
                    .log("a device does not answer");
        } else if (was && !is && after.availability() == Availability.AVAILABILITY_PRESENT) {
            LOG.atInfo()
                    .addKeyValue("device", after.deviceId())
                    .addKeyValue("silentSince", before.since())
                    .log("a device answers again");
        }
    }

    /** A device that was never asked does not count as silent. */
    private static boolean isSilent(DeviceView view) {
        return view.alarms().keySet().stream().anyMatch(name -> name.kind() == AlarmKind.ALARM_KIND_DEVICE_SILENT);
    }
}
