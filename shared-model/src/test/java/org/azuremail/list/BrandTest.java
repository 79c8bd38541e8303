package org.azuremail.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.junit.jupiter.api.Test;

class BrandTest {

    @Test
    void textOnAButtonCanAlwaysBeRead() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            Brand brand =
                    Brand.NONE.withColor(String.format("#%06x", i < 2 ? i * 0xFFFFFF : random.nextInt(0x1000000)));
            double one = Brand.luminance(brand.buttonColor());
            double other = Brand.luminance(brand.textColor());
            assertThat((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05))
                    .as(brand.buttonColor())
                    .isGreaterThan(4.5);
        }
    }

    @Test
    void coloursAreTakenAsPeopleTypeThem() {
        assertThat(Brand.color(" FFcc00 ")).isEqualTo(Optional.of("#ffcc00"));
        assertThat(Brand.color("#abcdef")).isEqualTo(Optional.of("#abcdef"));
        assertThat(Brand.color("#fff")).isEmpty();
        assertThat(Brand.color("red;}")).isEmpty();
    }

    @Test
    void aRowKeepsTheBrandAndAnOlderOneHasNone() {
        MailingList list = MailingList.of(
                        new ListName("news"),
                        "",
                        new Mailbox(new EmailAddress("a@example.org"), ""),
                        OptIn.DOUBLE,
                        Instant.EPOCH)
                .withBrand(Brand.NONE
                        .withColor("#123456")
                        .withLogo("AAAAAAAAAAAAAAAAAAAAAA.png")
                        .withLogo("BBBBBBBBBBBBBBBBBBBBBB.jpg")
                        .withListed(true));

        assertThat(ListRow.list(list.name(), ListRow.values(list))).isEqualTo(list);
        assertThat(ListRow.list(
                                list.name(),
                                ListRow.values(list)
                                        .with("Color", null)
                                        .with("Logo", null)
                                        .with("FormerLogos", null)
                                        .with("Listed", null))
                        .brand())
                .isEqualTo(Brand.NONE);
    }
}
