package dev.lightpath.driver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.driver", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String ROOT = "dev.lightpath.driver.";

    @ArchTest
    static final ArchRule grpcIsSpokenAtTheEdges = noClasses()
            .that()
            .resideOutsideOfPackages(
                    ROOT + "server",
                    ROOT + "emulator",
                    ROOT + "deviceapi",
                    ROOT + "gnmi",
                    ROOT + "stream",
                    ROOT + "tls")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.grpc..");

    @ArchTest
    static final ArchRule onlyTheServerServes = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "server")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("io\\.grpc\\.(Server.*|protobuf\\.services\\..*)");

    @ArchTest
    static final ArchRule onlyTheEmulatorsAdapterKnowsTheEmulator = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "emulator")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lightpath.proto.emulator..");

    @ArchTest
    static final ArchRule onlyItsAdapterKnowsTheDeviceApi = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "deviceapi")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lightpath.proto.device..");

    @ArchTest
    static final ArchRule onlyItsAdapterKnowsGnmi = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "gnmi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.github.gnmi..", "gnmi_ext..");

    @ArchTest
    static final ArchRule onlyNetconfKnowsSshAndXml = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "netconf")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.sshd..", "javax.xml..");

    @ArchTest
    static final ArchRule theContractKnowsNoAdapter = noClasses()
            .that()
            .resideInAnyPackage(
                    ROOT + "contract..", ROOT + "ledger", ROOT + "journal", ROOT + "adapter", ROOT + "audit")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ROOT + "emulator",
                    ROOT + "deviceapi",
                    ROOT + "netconf",
                    ROOT + "openflow",
                    ROOT + "gnmi",
                    ROOT + "stream",
                    ROOT + "server",
                    ROOT + "http",
                    ROOT + "config");

    @ArchTest
    static final ArchRule theJournalKnowsOnlyBytes = classes()
            .that()
            .resideInAPackage(ROOT + "journal")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", ROOT + "journal", "org.jspecify..");

    @ArchTest
    static final ArchRule metricsLiveInThreeClasses = noClasses()
            .that()
            .haveNameNotMatching("dev\\.lightpath\\.driver\\.http\\.(Meters|SwitchMeters|PortPage)([$].*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.lightpath.driver.(*)..").should().beFreeOfCycles();
}
