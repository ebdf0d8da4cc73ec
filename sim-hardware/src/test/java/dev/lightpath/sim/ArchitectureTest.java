package dev.lightpath.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.sim", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule onlyFrontsThatSpeakGrpcKnowIt = noClasses()
            .that()
            .resideOutsideOfPackages("dev.lightpath.sim.wire", "dev.lightpath.sim.gnmi", "dev.lightpath.sim.deviceapi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "com.github.gnmi..", "dev.lightpath.proto..");

    @ArchTest
    static final ArchRule onlyHttpKnowsMicrometer = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lightpath.sim.http")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", "com.sun.net.httpserver..");

    @ArchTest
    static final ArchRule onlyNetconfKnowsSshAndXml = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lightpath.sim.netconf")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.sshd..", "javax.xml..", "org.w3c.dom..");

    @ArchTest
    static final ArchRule onlyScenariosKnowYaml = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lightpath.sim.scenario")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.yaml..");

    @ArchTest
    static final ArchRule theCoreHasNoClockThreadOrChanceOfItsOwn = noClasses()
            .that()
            .resideInAPackage("dev.lightpath.sim.core..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.util.concurrent..",
                    "org.slf4j..",
                    "dev.lightpath.sim.(loop|wire|http|netconf|tl1|gnmi|openflow|cmis|deviceapi|scenario)..");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.lightpath.sim.(*)..").should().beFreeOfCycles();
}
