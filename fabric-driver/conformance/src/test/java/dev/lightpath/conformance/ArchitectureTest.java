package dev.lightpath.conformance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.conformance", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String ROOT = "dev.lightpath.conformance.";

    @ArchTest
    static final ArchRule requirementsUseTheContractAlone = noClasses()
            .that()
            .resideInAnyPackage(ROOT + "requirement..", ROOT + "bench")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.lightpath.proto.emulator..", "picocli..", ROOT + "report");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.lightpath.conformance.(*)..").should().beFreeOfCycles();
}
