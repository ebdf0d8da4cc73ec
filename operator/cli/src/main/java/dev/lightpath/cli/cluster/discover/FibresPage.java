package dev.lightpath.cli.cluster.discover;

import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import java.util.List;

/** What was found of the fibres of a fabric, for people. */
final class FibresPage {
    private FibresPage() {}

    static Table of(List<SwitchFibres> switches) {
        Page page = new Page()
                .table(
                        List.of("SWITCH", "FIBRE ENDS", "KNOWN", "CIRCUITS", "STATE"),
                        switches.stream()
                                .map(of -> List.of(
                                        of.name(),
                                        Integer.toString(of.ends()),
                                        Integer.toString(of.known()),
                                        Integer.toString(of.circuits()),
                                        of.state()))
                                .toList());
        switches.forEach(of -> page.section("switch/" + of.name(), of.findings()));
        return page.text();
    }
}
