package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.cli.cluster.access.OperatorView.DeviceView;
import dev.lightpath.cli.cluster.access.OperatorView.FabricView;
import dev.lightpath.cli.cluster.access.OperatorView.SliceView;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Page;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.SliceParts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ledger means against what was read back: the JSON document of {@code diff}.
 *
 * @param at when the operator looked, RFC 3339
 * @param inSync whether nothing differs
 * @param outdated slices whose record the operator had not yet taken in when it looked
 * @param devices those that differ
 */
record LightDiff(
        String fabric,
        String at,
        long epoch,
        String driver,
        int meant,
        int readBackAsMeant,
        boolean inSync,
        List<String> foreign,
        List<String> outdated,
        List<DeviceView> devices) {
    private static final int MOST_ROWS = 40;

    static LightDiff of(String name, OperatorView view, List<FabricSlice> slices) {
        FabricView fabric = view.fabrics().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadInput("the operator at work does not show the light of fabric " + name
                        + ": it has not read it yet, another replica leads it, it does not look after fabrics of its"
                        + " kind, or you may not get opticalfabrics/view"));
        List<DeviceView> differing =
                fabric.devices().stream().filter(device -> !device.asMeant()).toList();
        String driver = fabric.driver().connected()
                ? "connected"
                : "away"
                        + (fabric.driver().problem() == null
                                ? ""
                                : ": " + fabric.driver().problem());
        return new LightDiff(
                name,
                view.at(),
                view.epoch(),
                driver,
                fabric.circuits().planned(),
                fabric.circuits().lit(),
                differing.isEmpty()
                        && fabric.foreign().isEmpty()
                        && fabric.driver().connected(),
                fabric.foreign(),
                outdated(name, view.slices(), slices),
                differing);
    }

    private static List<String> outdated(String fabric, List<SliceView> seen, List<FabricSlice> slices) {
        Map<String, Long> revisions = new HashMap<>();
        seen.forEach(slice -> revisions.put(
                slice.namespace() + "/" + slice.name(), slice.revision() == null ? 0L : slice.revision()));
        List<String> outdated = new ArrayList<>();
        for (FabricSlice slice : slices) {
            Allocation allocation =
                    slice.getStatus() == null ? null : slice.getStatus().allocation();
            String key = slice.getMetadata().getNamespace() + "/"
                    + slice.getMetadata().getName();
            if (slice.getSpec().fabric().equals(fabric)
                    && !SliceParts.isPart(slice)
                    && allocation != null
                    && allocation.revision() != revisions.getOrDefault(key, 0L)) {
                outdated.add(key + ": recorded is revision " + allocation.revision() + ", the operator looked at "
                        + revisions.getOrDefault(key, 0L));
            }
        }
        return outdated;
    }

    Answer answer() {
        Page page = new Page();
        page.line("fabric " + fabric + ": " + Counted.of(meant, "circuit") + " meant, " + readBackAsMeant
                + " of them read back, driver " + driver + "; looked at " + at + " in epoch " + epoch);
        page.line(
                inSync
                        ? "everything read back is as meant"
                        : Counted.of(devices.size(), "device differs", "devices differ"));
        page.table(
                List.of("DEVICE", "POSITION", "PRESENCE", "MEANT, NOT READ BACK", "READ BACK, NOT MEANT"),
                devices.stream().limit(MOST_ROWS).map(LightDiff::row).toList());
        if (devices.size() > MOST_ROWS) {
            page.line("and " + (devices.size() - MOST_ROWS) + " more: -o json shows all");
        }
        page.section("foreign: nobody planned it, the fabric's policy decides", foreign);
        page.section("being decided", outdated);
        return new Answer(this, page.text());
    }

    private static List<String> row(DeviceView device) {
        return List.of(
                device.device(),
                device.position() == null ? "-" : "" + device.position(),
                device.presence(),
                cell(device.missing()),
                cell(device.surplus()));
    }

    private static String cell(List<String> circuits) {
        return circuits.isEmpty() ? "-" : String.join(" ", circuits);
    }
}
