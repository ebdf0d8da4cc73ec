package dev.lightpath.app.whole;

import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Something happens to the driver or the device when the first change of the act is on its way there, or its answer on the way back. */
final class AtFirstCall implements Disturbance, WriteTap.Listener {
    private final String what;
    private final boolean after;
    private final BiConsumer<Installation, String> happens;
    private final AtomicBoolean met = new AtomicBoolean();
    private volatile Installation all;

    /** @param happens is told the device */
    private AtFirstCall(String what, boolean after, BiConsumer<Installation, String> happens) {
        this.what = what;
        this.after = after;
        this.happens = happens;
    }

    static List<Disturbance> each() {
        return Stream.of(false, true)
                .<Disturbance>mapMulti((after, to) -> {
                    to.accept(new AtFirstCall("connection cut", after, (all, device) -> all.deviceTap.cut()));
                    to.accept(new AtFirstCall("driver restarted", after, (all, device) -> all.replaceDriver(false)));
                    to.accept(
                            new AtFirstCall("driver restarted empty", after, (all, device) -> all.replaceDriver(true)));
                    to.accept(new AtFirstCall("device replaced", after, AtFirstCall::replace));
                })
                .toList();
    }

    private static void replace(Installation all, String device) {
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_DEVICE_REPLACED)
                .setDeviceId(device)
                .build());
    }

    @Override
    public String name() {
        return what + (after ? " after" : " before") + " the first change";
    }

    @Override
    public void begin(Installation installation) {
        all = installation;
        all.deviceTap.listen(this);
    }

    @Override
    public boolean before(int number, String call) {
        return after || happens(call);
    }

    @Override
    public void after(int number, String call) {
        if (after) {
            happens(call);
        }
    }

    private boolean happens(String call) {
        if (met.compareAndSet(false, true)) {
            happens.accept(all, call.substring(call.indexOf(' ') + 1));
        }
        return true;
    }

    @Override
    public void end(Installation installation, LightLog light) {
        all.deviceTap.listen(WriteTap.SILENT);
    }

    @Override
    public boolean met() {
        return met.get();
    }
}
