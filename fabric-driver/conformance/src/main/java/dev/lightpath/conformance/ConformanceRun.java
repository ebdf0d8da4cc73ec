package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.bench.Unusable;
import dev.lightpath.conformance.report.CommonCause;
import dev.lightpath.conformance.report.Finding;
import dev.lightpath.conformance.report.NotJudged;
import dev.lightpath.conformance.report.Progress;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One run of the kit: take the device, judge it, give it back. */
public final class ConformanceRun {
    private ConformanceRun() {}

    /**
     * Judges a device by these requirements, in this order.
     *
     * @throws dev.lightpath.conformance.bench.Unusable when the device must not or cannot be used
     */
    public static Report run(String name, Endpoint endpoint, Terms terms, List<Requirement> requirements) {
        return run(name, endpoint, terms, requirements, Progress.untold(), () -> false);
    }

    /**
     * As {@link #run(String, Endpoint, Terms, List)}, and tells of each requirement as soon as it is judged.
     *
     * @param cut whether it is to end now, with the device given back
     */
    static Report run(
            String name,
            Endpoint endpoint,
            Terms terms,
            List<Requirement> requirements,
            Progress progress,
            BooleanSupplier cut) {
        try (Housekeeping house = Housekeeping.begin(endpoint, terms)) {
            try {
                return judged(house, name, requirements, progress, cut);
            } catch (RuntimeException | Error early) {
                // what cut the run must not cut this
                boolean unused = Thread.interrupted();
                house.restore().ifPresent(left -> early.addSuppressed(new Unusable("not put back: " + left)));
                house.end().ifPresent(kept -> early.addSuppressed(new Unusable(kept)));
                throw early;
            }
        }
    }

    private static Report judged(
            Housekeeping house, String name, List<Requirement> requirements, Progress progress, BooleanSupplier cut) {
        Bench bench = house.bench();
        var info = bench.calls().identity().getDriverInfo(GetDriverInfoRequest.getDefaultInstance());
        String driver = info.getName() + " " + info.getVersion();
        progress.begins(driver, name, device(bench));
        Judge judge = new Judge(house);
        List<Finding> findings = new ArrayList<>();
        for (Requirement requirement : requirements) {
            Finding finding = judge.judge(requirement);
            if (cut.getAsBoolean()) {
                throw new Unusable("the run was ended early, during " + requirement.name());
            }
            findings.add(finding);
            progress.judged(finding);
        }
        List<String> notes = new ArrayList<>();
        house.end().ifPresent(notes::add);
        NotJudged.of(findings).ifPresent(notes::add);
        CommonCause.of(findings).ifPresent(notes::add);
        return new Report(driver, name, device(bench), findings, notes);
    }

    private static String device(Bench bench) {
        var device = bench.device().device();
        return device.getDeviceId() + ": " + device.getVendor() + " " + device.getModel() + ", adapter "
                + device.getAdapter() + ", " + bench.device().inventory().getPortsCount() + " ports, judged on "
                + bench.layout().ports();
    }
}
