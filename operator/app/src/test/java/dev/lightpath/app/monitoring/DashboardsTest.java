package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of the dashboards are what {@link Dashboards} says. To write them anew:
 *
 * <pre>./mvnw -pl operator/app -am test -Dtest=DashboardsTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dlightpath.write=true</pre>
 */
class DashboardsTest {
    static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");
    static final Path FOLDER = ROOT.resolve("deploy/kubernetes/monitoring/dashboards");
    private static final Pattern SERIES = Pattern.compile("lightpath_\\w+");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

    private static Scrapes scrapes;

    @BeforeAll
    static void scrape(@TempDir Path folder) throws IOException, InterruptedException {
        scrapes = Scrapes.take(folder);
    }

    @Test
    void filesAreWhatIsGenerated() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (Dashboard dashboard : scrapes.dashboards().all()) {
            String name = GrafanaJson.file(dashboard.of());
            Path file = FOLDER.resolve(name);
            String json = GrafanaJson.of(dashboard);
            if (Boolean.getBoolean("lightpath.write")) {
                Files.writeString(file, json);
            }
            assertThat(Files.readString(file)).as(name).isEqualTo(json);
            names.add(name);
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(names).hasSameSizeAs(Dashboard.Uid.values());
    }

    @Test
    void everySeriesOfOursIsOnADashboard() {
        SortedSet<String> shown = scrapes.dashboards().all().stream()
                .flatMap(dashboard -> dashboard.panels().stream())
                .flatMap(panel -> panel.targets.stream())
                .flatMap(target -> SERIES.matcher(target.query().text()).results())
                .map(MatchResult::group)
                .flatMap(name -> Stream.of(name, PART.matcher(name).replaceFirst("")))
                .collect(Collectors.toCollection(TreeSet::new));
        SortedSet<String> there = new TreeSet<>();
        for (Catalogue of : List.of(scrapes.operator(), scrapes.driver(), scrapes.ports())) {
            of.all().keySet().stream()
                    .filter(name -> name.startsWith("lightpath_") && !name.endsWith("_max"))
                    .forEach(there::add);
        }
        there.removeAll(shown);
        assertThat(there).isEmpty();
    }

    /** What a row leads to is an address of the console's page of documentation. */
    @Test
    void rowsLeadToViewsOfTheConsole() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/console.md"));
        List<String> views = scrapes.dashboards().all().stream()
                .flatMap(dashboard -> dashboard.panels().stream())
                .flatMap(panel -> panel.links.stream())
                .map(Panel.Link::url)
                .filter(url -> url.startsWith(GrafanaJson.CONSOLE))
                .map(url -> url.substring(GrafanaJson.CONSOLE.length() + 1))
                .toList();
        assertThat(views).hasSizeGreaterThan(5);
        for (String view : views) {
            String name = view.replaceFirst("^(#/\\w+).*", "$1");
            assertThat(page).containsPattern("`" + name + "[/?]");
        }
    }

    @Test
    void refusesWhatIsNotThere() {
        Metric nodes = scrapes.operator().get("lightpath_fabric_nodes");
        assertThatThrownBy(() -> scrapes.operator().get("lightpath_fabric_nods"))
                .hasMessage("the operator has no series lightpath_fabric_nods");
        assertThatThrownBy(() -> nodes.all().max("fabrik"))
                .hasMessage("lightpath_fabric_nodes has no label fabrik; it has [fabric, state]");
        assertThatThrownBy(() -> nodes.with("state", "faulti")).hasMessageContaining("is never faulti; it is one of");
        assertThatThrownBy(() -> nodes.all().rate()).hasMessage("lightpath_fabric_nodes is a gauge, not a counter");
        assertThatThrownBy(() -> Metric.Query.of("lightpath_x + %s", nodes.all().max()))
                .hasMessage("a series is named by the catalogue: lightpath_x");
    }

    /** A sum over one name of two processes would count the same thing twice, or two things as one. */
    @Test
    void operatorAndDriverExportNoSeriesOfOneName() {
        SortedSet<String> both = scrapes.operator().names();
        both.retainAll(scrapes.driver().names());
        assertThat(both).isEmpty();
    }
}
