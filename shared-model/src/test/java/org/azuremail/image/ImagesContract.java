package org.azuremail.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Page;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** The contract of the images on every back end. */
interface ImagesContract {

    Storage storage();

    ManualTime time();

    default Images images() {
        return new Images(storage(), IdSource.secure(), time(), URI.create("https://lists.example.org"));
    }

    default Image add(String alt) {
        time().advance(Duration.ofSeconds(1));
        return add(images(), alt);
    }

    static Image add(Images images, String alt) {
        Images.Added added = images.add(() -> Pictures.file("png", 20, 10), "a.png", alt, "ann@example.org");
        return ((Images.Added.Done) added).image();
    }

    @Test
    default void anImageIsFoundUntilItIsDeleted() {
        Image image = add("A cherry tree");

        assertThat(images().find(image.id()).orElseThrow().value()).isEqualTo(image);
        assertThat(images().content(image.blob()))
                .hasValueSatisfying(png -> assertThat(png).hasSize(image.bytes()));
        assertThat(images().address(image)).isEqualTo("https://lists.example.org/image/" + image.blob());
        assertThat(image.blob()).matches("[A-Za-z0-9_-]{22}\\.png");

        images().delete(image.id());
        images().delete(image.id());
        assertThat(images().find(image.id())).isEmpty();
        assertThat(images().content(image.blob())).isEmpty();
    }

    @Test
    default void pagesShowTheNewestFirst() {
        List<String> added = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            added.add(0, add("Number " + i).id());
        }

        List<String> listed = new ArrayList<>();
        String next = null;
        do {
            Page<Image> page = images().page(2, next);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
            page.items().forEach(image -> listed.add(image.id()));
            next = page.continuation();
        } while (next != null);
        assertThat(listed).startsWith(added.toArray(String[]::new)).doesNotHaveDuplicates();
    }

    @Test
    default void ofTwoChangesOfATextTheSecondIsAConflict() {
        Versioned<Image> read = images().find(add("first").id()).orElseThrow();

        assertThat(images().changeAlt(read, "second", read.etag())).isInstanceOf(Saved.Done.class);
        assertThat(images().changeAlt(read, "second", read.etag())).isInstanceOf(Saved.Done.class);
        assertThat(images().changeAlt(read, "third", read.etag()))
                .isInstanceOfSatisfying(Saved.Conflict.class, conflict -> assertThat(
                                ((Image) conflict.current().value()).alt())
                        .isEqualTo("second"));
        images().delete(read.value().id());
        assertThat(images().changeAlt(read, "third", read.etag())).isInstanceOf(Saved.Missing.class);
    }

    @Test
    default void namesThatAreNoneAreNotFound() {
        for (String name :
                List.of("", "..", "a/b", "AAAAAAAAAAAAAAAAAAAAAA.svg", "AAAAAAAAAAAAAAAAAAAAAA.png", "%00")) {
            assertThat(images().content(name)).as(name).isEmpty();
            assertThat(images().find(name)).as(name).isEmpty();
            assertThat(images().find("0000000000000-" + name)).as(name).isEmpty();
            images().delete(name);
        }
    }
}
