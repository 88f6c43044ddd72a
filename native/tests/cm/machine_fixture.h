// Two hosts with a connection manager each, for tests of one behavior.
#pragma once

#include <gtest/gtest.h>

#include "host.h"

namespace uroce::cm::test {

using enum EventType;

class CmMachine : public ::testing::Test {
 protected:
  // The request as it arrived at b.
  Story& request() { return *b.stories.at(0); }
  // A connection of a whose request b has received.
  Story& requested() {
    Story& story = a.open(b);
    EXPECT_EQ(a.connect(story), 0);
    run();
    return story;
  }
  // A connection that b has accepted and whose reply a has received.
  Story& replied() {
    Story& story = requested();
    EXPECT_EQ(b.accept(request()), 0);
    run();
    return story;
  }
  Story& connected() {
    Story& story = replied();
    EXPECT_EQ(a.machine.send_rtu(*story.connection), 0);
    run();
    return story;
  }
  // The end at b of a connection that b accepted. A reaction of b is only for later ones.
  Story& connected_before_the_flood() {
    const auto later = std::exchange(b.react, nullptr);
    connected();
    b.react = later;
    return request();
  }
  // Time for datagrams, not for repetitions.
  void run() { network.run(network.now + 100'000'000); }
  // Loses the next datagrams of this kind.
  void lose(uint16_t attribute, int n) {
    network.filter = [attribute, n](const Address&, const wire::MadBytes& mad) mutable {
      return attribute_of(mad) != attribute || n-- <= 0;
    };
  }

  Network network{1, {}};
  Host a{network, 1}, b{network, 2};
};

}  // namespace uroce::cm::test
