package dev.lightpath.reading;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.reading", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule readsResourcesAndTalksToNobody = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8.kubernetes.client.dsl..",
                    "io.fabric8.kubernetes.client.informers..",
                    "io.grpc..",
                    "io.quarkus..",
                    "dev.lightpath.proto..",
                    "dev.lightpath.app..");

    @ArchTest
    static final ArchRule looksAtNoClock = noClasses()
            .should()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");
}
